/** Jars deployed into the running system. */
@Export
@NullMarked
@Version("1.0.0")
package roll.runtime.deploy;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
