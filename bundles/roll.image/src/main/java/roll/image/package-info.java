/** Image processors of model folders. */
@NullMarked
package roll.image;

import org.jspecify.annotations.NullMarked;
