/** Plugins in use: the services a configuration names, leased while they are needed. */
@Export
@NullMarked
@Version("1.0.0")
package roll.api.plugin;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
