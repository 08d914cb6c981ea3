/** Recorded episodes, played again for their pictures. */
@Export
@NullMarked
@Version("1.0.0")
package roll.runtime.replay;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
