/** Plugins that come and go as jars while the system runs. */
@Export
@NullMarked
@Version("1.1.0")
package roll.api.deploy;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
