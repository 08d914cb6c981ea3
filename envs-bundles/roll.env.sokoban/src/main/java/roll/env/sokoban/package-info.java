/** Sokoban: push boxes onto targets. */
@NullMarked
package roll.env.sokoban;

import org.jspecify.annotations.NullMarked;
