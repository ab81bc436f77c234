"""Make a film in three lines and print its report."""

import murmurate as mm

model = mm.load("starlings").set({"flocks.boids.count": 300})
report = mm.film(model, "starlings.mp4", view=mm.View(steps=48, size=(640, 360)), force=True)
print(f"{report.path}: {report.frames} pictures, {report.seconds:.1f} s")
