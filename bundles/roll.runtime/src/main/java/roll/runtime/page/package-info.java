/** The live page: what a browser shows of the runs of this system. */
@Export
@Version("1.0.0")
@NullMarked
package roll.runtime.page;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
