/** Files that other processes write, and may truncate, replace or remove at any time. */
@NullMarked
package roll.ui.file;

import org.jspecify.annotations.NullMarked;
