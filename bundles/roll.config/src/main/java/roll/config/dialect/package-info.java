/** Keys of other systems while they are translated to ours. */
@NullMarked
package roll.config.dialect;

import org.jspecify.annotations.NullMarked;
