package roll.template.jinja.value;

/**
 * The result of {@code namespace()}: attributes that a template may set, also from within a loop.
 *
 * @param attributes by name
 */
public record Namespace(Dict attributes) {}
