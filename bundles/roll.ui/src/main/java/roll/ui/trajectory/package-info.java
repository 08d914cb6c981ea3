/** The episodes of runs: list, search, tokens, replay. */
@NullMarked
package roll.ui.trajectory;

import org.jspecify.annotations.NullMarked;
