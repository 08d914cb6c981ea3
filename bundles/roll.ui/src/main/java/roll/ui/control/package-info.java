/** Orders to runs, and deployment of plugins. */
@NullMarked
package roll.ui.control;

import org.jspecify.annotations.NullMarked;
