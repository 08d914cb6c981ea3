@NullMarked
package roll.ui.file;

import org.jspecify.annotations.NullMarked;
