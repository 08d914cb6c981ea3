/** An installed Chromium, driven through its DevTools. */
@Export
@NullMarked
@Version("1.0.0")
package roll.browser;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
