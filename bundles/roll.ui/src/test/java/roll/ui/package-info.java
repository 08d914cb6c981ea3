@NullMarked
package roll.ui;

import org.jspecify.annotations.NullMarked;
