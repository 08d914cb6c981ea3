/** Services, devices and nodes. */
@NullMarked
package roll.ui.system;

import org.jspecify.annotations.NullMarked;
