/** What changes something: orders to runs, plugins that come and go. */
@NullMarked
package roll.ui.control;

import org.jspecify.annotations.NullMarked;
