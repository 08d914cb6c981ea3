/** The options a plugin declares, the values it is given, and errors that are the user's. */
@Export
@NullMarked
@Version("1.0.0")
package roll.api.option;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
