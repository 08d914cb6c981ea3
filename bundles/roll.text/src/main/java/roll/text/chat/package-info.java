/** Conversations of data sets, whichever of the usual forms they have. */
@Export
@NullMarked
@Version("1.0.0")
package roll.text.chat;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
