/** Asking services on the web that may be away for a while. */
@Export
@NullMarked
@Version("1.0.0")
package roll.api.http;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
