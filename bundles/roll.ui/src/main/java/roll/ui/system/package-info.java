/** What runs are made of: services, devices, nodes. */
@NullMarked
package roll.ui.system;

import org.jspecify.annotations.NullMarked;
