/** The Qwen2.5-VL architecture. */
@NullMarked
package roll.model.qwen2_5_vl;

import org.jspecify.annotations.NullMarked;
