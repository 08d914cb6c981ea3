/** How many groups of which tag a step plays, where a curriculum says so. */
@NullMarked
package roll.core.curriculum;

import org.jspecify.annotations.NullMarked;
