/** Speculative decoding: which tokens are proposed, and how many. */
@NullMarked
package roll.strategy.vllm.speculation;

import org.jspecify.annotations.NullMarked;
