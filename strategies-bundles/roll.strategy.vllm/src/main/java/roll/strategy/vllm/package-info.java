/** Continuous batching with a paged KV cache, and scoring, on one device. */
@NullMarked
package roll.strategy.vllm;

import org.jspecify.annotations.NullMarked;
