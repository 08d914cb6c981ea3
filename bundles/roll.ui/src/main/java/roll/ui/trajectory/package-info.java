/** The episodes of runs: listed, searched, token by token, played again. */
@NullMarked
package roll.ui.trajectory;

import org.jspecify.annotations.NullMarked;
