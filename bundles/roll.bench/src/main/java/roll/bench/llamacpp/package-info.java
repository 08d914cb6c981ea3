/** What llama.cpp's {@code llama-bench} and {@code llama-batched-bench} print. */
@NullMarked
package roll.bench.llamacpp;

import org.jspecify.annotations.NullMarked;
