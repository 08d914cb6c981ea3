/** Generation by wave with a KV cache, and scoring, on one device. */
@NullMarked
package roll.strategy.vllm;

import org.jspecify.annotations.NullMarked;
