/** The runs in folders, ended ones and those of other processes included. */
@Export
@NullMarked
@Version("1.0.0")
package roll.runtime.listing;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
