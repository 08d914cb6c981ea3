package roll.runtime.plugin;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.osgi.annotation.bundle.Attribute;
import org.osgi.annotation.bundle.Capability;
import org.osgi.service.component.annotations.ComponentPropertyType;

/**
 * Property annotation that names a {@link PluginKind} service: the kind's name in commands and its
 * key under {@code plugins}. The names of its plugins are the service property {@code roll.<kind>}.
 *
 * <p>One annotation gives both the service property {@code roll.kind} and a capability of that
 * namespace, so that a distribution can require the bundle by what it offers.
 */
@Capability(namespace = "roll.kind", version = "1.0.0")
@ComponentPropertyType
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.TYPE)
public @interface RollKind {
  /** The name of the kind, such as {@code ordering}. */
  @Attribute("roll.kind")
  String value();
}
