/** Tests. */
@NullMarked
package roll.image;

import org.jspecify.annotations.NullMarked;
