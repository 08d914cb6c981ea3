package roll.template.jinja.value;

/**
 * What {@code namespace()} makes: attributes that a template may set, also from within a loop.
 *
 * @param attributes by name
 */
public record Namespace(Dict attributes) {}
