/** Worker roles: what a role does in a phase, on whichever strategy it is given. */
@Export
@NullMarked
@Version("1.3.0")
package roll.api.worker;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
