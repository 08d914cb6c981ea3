/** The Qwen3 architecture. */
@NullMarked
package roll.model.qwen3;

import org.jspecify.annotations.NullMarked;
