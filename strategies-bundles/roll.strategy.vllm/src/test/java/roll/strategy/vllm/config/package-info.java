/** Tests of continuous batching. */
@NullMarked
package roll.strategy.vllm.config;

import org.jspecify.annotations.NullMarked;
