/** Curricula: the number of groups of each tag per step. */
@NullMarked
package roll.core.curriculum;

import org.jspecify.annotations.NullMarked;
