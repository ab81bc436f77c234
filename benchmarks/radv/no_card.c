// Vulkan for RADV's driver without a card (RADV_FORCE_FAMILY), which compiles but has no memory and no
// queue: calls that need them succeed and do nothing, so that wgpu creates a device and pipelines.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef void *(*Get)(void *, const char *);
static Get of_instance, of_device;
static void (*requirements)(void *, uint64_t, uint64_t *);

static int succeed(void) { return 0; }

static int make_handle(void *device, void *info, void *allocator, uint64_t *handle) {
  *handle = 0xbeef10;
  return 0;
}

static int map(void *device, void *memory, uint64_t at, uint64_t size, unsigned flags, void **to) {
  *to = calloc(1, size == ~0ull ? 64u << 20 : size + 4096);
  return 0;
}

static int counter(void *device, uint64_t semaphore, uint64_t *value) {
  *value = 1000000;
  return 0;
}

// VkPhysicalDeviceMemoryProperties: a type on the device and one that the host sees, 8 GiB each.
static void memory_properties(void *device, uint32_t *p) {
  p[0] = 2, p[1] = 7, p[2] = 0, p[3] = 14, p[4] = 1, p[65] = 2;
  uint64_t size = 8ull << 30;
  memcpy(p + 66, &size, 8), p[68] = 1;
  memcpy(p + 70, &size, 8), p[72] = 0;
}

static void memory_properties2(void *device, char *p) { memory_properties(device, (void *)(p + 16)); }

static void any_memory(void *device, uint64_t buffer, uint64_t *p) {
  requirements(device, buffer, p);
  *(uint32_t *)(p + 2) = 3;
}

static const struct { const char *name; void *function; } OURS[] = {
  {"vkGetPhysicalDeviceMemoryProperties", memory_properties},
  {"vkGetPhysicalDeviceMemoryProperties2", memory_properties2},
  {"vkGetPhysicalDeviceMemoryProperties2KHR", memory_properties2},
  {"vkAllocateMemory", make_handle}, {"vkCreateSemaphore", make_handle}, {"vkMapMemory", map},
  {"vkGetSemaphoreCounterValue", counter}, {"vkGetSemaphoreCounterValueKHR", counter},
  {"vkQueueSubmit", succeed}, {"vkQueueSubmit2", succeed}, {"vkQueueSubmit2KHR", succeed},
  {"vkQueueWaitIdle", succeed}, {"vkDeviceWaitIdle", succeed}, {"vkWaitForFences", succeed},
  {"vkGetFenceStatus", succeed}, {"vkWaitSemaphores", succeed}, {"vkWaitSemaphoresKHR", succeed},
  {"vkFreeMemory", succeed}, {"vkBindBufferMemory", succeed}, {"vkCmdFillBuffer", succeed},
  {"vkCmdCopyBuffer", succeed}, {"vkUpdateDescriptorSets", succeed},
  {"vkCmdPipelineBarrier", succeed}, {"vkBeginCommandBuffer", succeed},
  {"vkEndCommandBuffer", succeed}, {"vkDestroySemaphore", succeed}, {"vkUnmapMemory", succeed},
  {"vkFlushMappedMemoryRanges", succeed}, {"vkInvalidateMappedMemoryRanges", succeed},
};

static void *ours(const char *name) {
  for (size_t k = 0; k < sizeof OURS / sizeof *OURS; k++)
    if (!strcmp(name, OURS[k].name)) return OURS[k].function;
  return 0;
}

static void *loader(const char *name) {
  static void *library;
  if (!library) library = dlopen(getenv("VULKAN_LOADER"), RTLD_NOW | RTLD_LOCAL);
  return dlsym(library, name);
}

void *vkGetDeviceProcAddr(void *device, const char *name) {
  if (!of_device) of_device = (Get)loader("vkGetDeviceProcAddr");
  if (!strcmp(name, "vkGetBufferMemoryRequirements")) {
    requirements = of_device(device, name);
    return any_memory;
  }
  void *own = ours(name);
  return own ? own : of_device(device, name);
}

void *vkGetInstanceProcAddr(void *instance, const char *name) {
  if (!strcmp(name, "vkGetDeviceProcAddr")) return vkGetDeviceProcAddr;
  if (!strcmp(name, "vkGetInstanceProcAddr")) return vkGetInstanceProcAddr;
  if (!of_instance) of_instance = (Get)loader("vkGetInstanceProcAddr");
  void *own = ours(name);
  return own ? own : of_instance(instance, name);
}
