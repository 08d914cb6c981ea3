/** Health and progress over HTTP. */
@NullMarked
package roll.health;

import org.jspecify.annotations.NullMarked;
