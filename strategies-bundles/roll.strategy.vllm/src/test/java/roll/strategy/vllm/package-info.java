/** Tests of continuous batching. */
@NullMarked
package roll.strategy.vllm;

import org.jspecify.annotations.NullMarked;
