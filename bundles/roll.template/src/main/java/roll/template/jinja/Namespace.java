package roll.template.jinja;

/**
 * What {@code namespace()} makes: attributes that a template may set, also from within a loop.
 *
 * @param attributes by name
 */
record Namespace(Dict attributes) {}
