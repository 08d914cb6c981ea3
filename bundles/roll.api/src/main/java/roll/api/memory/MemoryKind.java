package roll.api.memory;

/** The purpose for which device memory is used, such as parameters. */
public enum MemoryKind {
  /** Weights that stay on the device: the whole model, or the device's shard. */
  PARAMETERS,
  /** Weights gathered from other devices while a segment of the model is computed. */
  GATHERED,
  /** Memory for gradients. */
  GRADIENTS,
  /** Moments and master weights of the optimizer. */
  OPTIMIZER,
  /** Activations kept by a forward pass for the backward pass. */
  ACTIVATIONS,
  /** KV cache of sequences being generated, and hidden states of their pictures. */
  KV_CACHE,
  /** State in files instead of the device's memory. */
  OFFLOADED,
  /**
   * Measured memory in use on an accelerator by all processes, including the other kinds,
   * activations, and the allocator's cache; never planned.
   */
  RESERVED
}
