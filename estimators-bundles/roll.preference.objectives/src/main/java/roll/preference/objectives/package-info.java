/** Objectives of training on preferences. */
@NullMarked
package roll.preference.objectives;

import org.jspecify.annotations.NullMarked;
