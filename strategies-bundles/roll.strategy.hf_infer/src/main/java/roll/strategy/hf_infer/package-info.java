/** Batched generation with a KV cache, and scoring, on one device. */
@NullMarked
package roll.strategy.hf_infer;

import org.jspecify.annotations.NullMarked;
