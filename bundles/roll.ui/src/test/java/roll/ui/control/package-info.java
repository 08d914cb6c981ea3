@NullMarked
package roll.ui.control;

import org.jspecify.annotations.NullMarked;
