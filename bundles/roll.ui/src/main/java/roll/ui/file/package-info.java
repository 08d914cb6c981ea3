/** Files that others write, and may cut short, replace or remove meanwhile. */
@NullMarked
package roll.ui.file;

import org.jspecify.annotations.NullMarked;
