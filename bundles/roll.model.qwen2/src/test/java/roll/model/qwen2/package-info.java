/** Tests of the Qwen2 architecture. */
@NullMarked
package roll.model.qwen2;

import org.jspecify.annotations.NullMarked;
