/** The Qwen2 and Qwen2.5 architecture. */
@NullMarked
package roll.model.qwen2;

import org.jspecify.annotations.NullMarked;
