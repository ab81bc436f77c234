"""Numbers that differ between boids in a page, compiled to WebAssembly and never run here.

The functions draw what murmurate.engines.individual_numbers draws, but for the rounding of
mathematics. Their argument is the table of start_functions.py.

The normal distribution and its quantiles are rational approximations of the Cephes library, which
scipy uses: Moshier 1989, Methods and Programs for Mathematical Functions, Prentice-Hall.
"""

import math

import numpy as np

from murmurate.codegen.intrinsics import array1, array2
from murmurate.engines.wasm.random_functions import boid_bits
from murmurate.engines.wasm.start_functions import (
    INTEGERS,
    KEY0,
    KEY1,
    KIND,
    NUMBERS,
    ORDER,
    POSITIONS,
)

UNIFORM, NORMAL, LOGNORMAL = 0, 1, 2
# indices in the row of numbers
MIN, MAX, MEAN, SD = 0, 1, 2, 3

ERF = np.array([
    9.60497373987051638749, 90.0260197203842689217, 2232.00534594684319226,
    7003.32514112805075473, 55592.3013010394962768,
])  # fmt: skip
ERF_DIVISOR = np.array([
    1.0, 33.5617141647503099647, 521.357949780152679795, 4594.32382970980127987,
    22629.0000613890934246, 49267.3942608635921086,
])  # fmt: skip
NEAR, NEAR_DIVISOR = np.array([
    [2.46196981473530512524e-10, 0.564189564831068821977, 7.46321056442269912687,
     48.6371970985681366614, 196.520832956077098242, 526.445194995477358631,
     934.528527171957607540, 1027.55188689515710272, 557.535335369399327526],
    [1.0, 13.2281951154744992508, 86.7072140885989742329, 354.937778887819891062,
     975.708501743205489753, 1823.90916687909736289, 2246.33760818710981792,
     1656.66309194161350182, 557.535340817727675546],
])  # fmt: skip
FAR = np.array([
    0.564189583547755073984, 1.27536670759978104416, 5.01905042251180477414,
    6.16021097993053585195, 7.40974269950448939160, 2.97886665372100240670,
])  # fmt: skip
FAR_DIVISOR = np.array([
    1.0, 2.26052863220117276590, 9.39603524938001434673, 12.0489539808096656605,
    17.0814450747565897222, 9.60896809063285878198, 3.36907645100081516050,
])  # fmt: skip
CENTRAL = np.array([
    -59.9633501014107895267, 98.0010754185999661536, -56.6762857469070293439,
    13.9312609387279679503, -1.23916583867381258016,
])  # fmt: skip
CENTRAL_DIVISOR = np.array([
    1.0, 1.95448858338141759834, 4.67627912898881538453, 86.3602421390890590575,
    -225.462687854119370527, 200.260212380060660359, -82.0372256168333339912,
    15.9056225126211695515, -1.18331621121330003142,
])  # fmt: skip
TAIL_NEAR, TAIL_NEAR_DIVISOR = np.array([
    [4.05544892305962419923, 31.5251094599893866154, 57.1628192246421288162,
     44.0805073893200834700, 14.6849561928858024014, 2.18663306850790267539,
     -0.140256079171354495875, -0.0350424626827848203418, -8.57456785154685413611e-4],
    [1.0, 15.7799883256466749731, 45.3907635128879210584, 41.3172038254672030440,
     15.0425385692907503408, 2.50464946208309415979, -0.142182922854787788574,
     -0.0380806407691578277194, -9.33259480895457427372e-4],
])  # fmt: skip
TAIL_FAR, TAIL_FAR_DIVISOR = np.array([
    [3.23774891776946035970, 6.91522889068984211695, 3.93881025292474443415,
     1.33303460815807542389, 0.201485389549179081538, 0.0123716634817820021358,
     3.01581553508235416007e-4, 2.65806974686737550832e-6, 6.23974539184983293730e-9],
    [1.0, 6.02427039364742014255, 3.67983563856160859403, 1.37702099489081330271,
     0.216236993594496635890, 0.0134204006088543189037, 3.28014464682127739104e-4,
     2.89247864745380683936e-6, 6.79019408009981274425e-9],
])  # fmt: skip
TAIL_SHARE = 0.13533528323661269189  # exp(-2)
ROOT_OF_2_PI = 2.50662827463100050242
ROOT_OF_HALF = 0.70710678118654752440
MAX_LOGARITHM = 7.09782712893383996843e2  # of the largest float64
SMALLEST_QUANTILE = -8.209536151601386  # normal quantile of the smallest uniform number


def traits(table):
    """Write the number of each boid of `order`, which holds indices, to the first position."""
    integers, numbers = array1(table, INTEGERS, np.int64(0)), array1(table, NUMBERS, 0.0)
    indices, results = array1(table, ORDER, np.int64(0)), array2(table, POSITIONS, 0.0)
    low, high = numbers[MIN], numbers[MAX]
    kind, mean, sd = integers[KIND], numbers[MEAN], numbers[SD]
    if kind == LOGNORMAL:
        variance = math.log1p((sd / mean) * (sd / mean))
        mean, sd = math.log(mean) - variance / 2.0, math.sqrt(variance)
    divisor = sd if sd > 0.0 else 1.0
    lowest, highest = (low - mean) / divisor, (high - mean) / divisor
    if kind == LOGNORMAL:
        lowest = -math.inf if low == 0.0 else (math.log(low) - mean) / divisor
        highest = math.inf if high == math.inf else (math.log(high) - mean) / divisor
        if sd == 0.0:
            low, high = numbers[MEAN], numbers[MEAN]
        elif low == 0.0:
            low = math.exp(min(mean + sd * max(lowest, SMALLEST_QUANTILE), 700.0))
    mirrored = lowest > 0.0
    if mirrored:
        lowest, highest = -highest, -lowest
    first, last = share_below(lowest), share_below(highest)
    for i in range(indices.shape[0]):
        u = individual_uniform(integers[KEY0], integers[KEY1], indices[i])
        if kind == UNIFORM:
            value = low + (high - low) * u
        else:
            part = 1.0 - u if mirrored else u
            z = normal_quantile(first + part * (last - first))
            value = mean + sd * (-z if mirrored else z)
            if kind == LOGNORMAL:
                value = math.exp(value)
        results[i, 0] = min(max(value, low), high)
    return 0


def individual_uniform(seed, stream, index):
    """Return a uniform random number between 0 and 1 of a boid."""
    high, low = boid_bits(seed, stream, index, 0, 0)
    return (np.int64((high << np.uint64(20)) | (low >> np.uint64(12))) + 0.5) * 2.0**-52


def polynomial(x, coefficients):
    """Return a polynomial of x, whose coefficients begin with that of the highest power."""
    result = coefficients[0]
    for k in range(1, coefficients.shape[0]):
        result = result * x + coefficients[k]
    return result


def error_function(x):
    """Return the error function of x, from -1 to 1."""
    return x * polynomial(x * x, ERF) / polynomial(x * x, ERF_DIVISOR)


def complement(x):
    """Return 1 minus the error function of x, from 1 on."""
    if x * x > MAX_LOGARITHM:
        return 0.0
    near = x < 8.0
    above = polynomial(x, NEAR) if near else polynomial(x, FAR)
    below = polynomial(x, NEAR_DIVISOR) if near else polynomial(x, FAR_DIVISOR)
    return math.exp(-x * x) * above / below


def share_below(z):
    """Return the probability of standard normal numbers below z."""
    x = z * ROOT_OF_HALF
    if abs(x) < 1.0:
        return 0.5 + 0.5 * error_function(x)
    share = 0.5 * complement(abs(x))
    return 1.0 - share if x > 0.0 else share


def normal_quantile(share):
    """Return the standard normal number below which this share of them is."""
    if share <= 0.0 or share >= 1.0:
        return -math.inf if share <= 0.0 else math.inf
    upper = share > 1.0 - TAIL_SHARE
    y = 1.0 - share if upper else share
    if y > TAIL_SHARE:
        y = y - 0.5
        y2 = y * y
        ratio = y2 * polynomial(y2, CENTRAL) / polynomial(y2, CENTRAL_DIVISOR)
        return (y + y * ratio) * ROOT_OF_2_PI
    x = math.sqrt(-2.0 * math.log(y))
    z = 1.0 / x
    near = x < 8.0
    above = polynomial(z, TAIL_NEAR) if near else polynomial(z, TAIL_FAR)
    below = polynomial(z, TAIL_NEAR_DIVISOR) if near else polynomial(z, TAIL_FAR_DIVISOR)
    result = x - math.log(x) / x - z * above / below
    return result if upper else -result
