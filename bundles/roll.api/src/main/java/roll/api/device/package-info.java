/** Compute devices. */
@Export
@NullMarked
@Version("1.0.0")
package roll.api.device;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
