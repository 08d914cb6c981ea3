@NullMarked
package roll.ui.run;

import org.jspecify.annotations.NullMarked;
