/** The runs that the page shows. */
@NullMarked
package roll.ui.run;

import org.jspecify.annotations.NullMarked;
