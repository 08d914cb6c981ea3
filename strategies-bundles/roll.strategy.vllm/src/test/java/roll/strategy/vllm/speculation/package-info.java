/** Tests of continuous batching. */
@NullMarked
package roll.strategy.vllm.speculation;

import org.jspecify.annotations.NullMarked;
