/** Training with tensor and pipeline parallelism. */
@NullMarked
package roll.strategy.megatron;

import org.jspecify.annotations.NullMarked;
